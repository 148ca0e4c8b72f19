"""Grading: exams, results that survive a crash, rankings with intervals, and reports to hand back."""

from .exam import Exam, ExamLimits, LevelGroup, Points
from .exam_file import parse_exam, read_exam
from .grading import Machines, grade
from .records import GameRecord, LevelRecord, MatchRecord, Results, Seat, SubmissionRecord

__all__ = [
    "Exam",
    "ExamLimits",
    "GameRecord",
    "LevelGroup",
    "LevelRecord",
    "Machines",
    "MatchRecord",
    "Points",
    "Results",
    "Seat",
    "SubmissionRecord",
    "grade",
    "parse_exam",
    "read_exam",
]
