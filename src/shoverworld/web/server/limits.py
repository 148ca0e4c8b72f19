"""The limits of the server, in one place. Sizes are in bytes, and times are in seconds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a page may ask of the server. Tests use smaller values."""

    # Messages
    body: int = 1_000_000  # the body of a request
    head: int = 16_384  # the request line and all headers
    depth: int = 8  # nested lists and objects in a message
    moves: int = 20_000  # moves in a position, and actions of an agent in one job
    text: int = 2_000  # any string except a level

    # Connections
    connections: int = 64  # further requests are answered with status 503
    most_connections: int = 128  # further connections are closed at once
    head_seconds: float = 10.0  # time to send the request line and the headers
    body_seconds: float = 10.0  # time to send the body
    response_seconds: float = 90.0  # time for a whole response, except for event streams
    heartbeat: float = 2.0  # time between two signs of life in an event stream

    # Jobs
    running: int = 2
    waiting: int = 4  # further jobs are refused with status 429
    job_seconds: float = 600.0  # the longest time that a job may ask for
    stream_seconds: float = 1800.0  # the longest duration of an event stream: waiting, preparing and the job itself
    ready_seconds: float = 180.0  # time to compile the rules and a planner, which is not part of the time of a job
    overtime: float = 5.0  # a job that does not end by itself after its time is killed this much later
    unwatched_seconds: float = 5.0  # a job without an event stream is killed after this time
    kept_seconds: float = 30.0  # how long the events of a finished job are kept
    kept_jobs: int = 16

    # Requests about records and files, which run in a worker of their own
    quick_waiting: int = 8
    quick_seconds: float = 60.0
    idle_seconds: float = 300.0  # a worker without work is ended after this time


LIMITS = Limits()
