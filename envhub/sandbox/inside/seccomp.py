"""Which system calls a program may make: a filter for the kernel, assembled by hand.

What is refused is what reaches beyond the job: sockets of every family (but for a pair that belongs to the one who made it),
io_uring and the older asynchronous input and output, looking into other processes, namespaces, mounts, keys, kernel features
with a history of holes, memory that no limit counts, and everything newer than this table. Another architecture's calls, the
x32 ones among them, end the process::

    linux.load_filter(program("x86_64"))
"""

from __future__ import annotations

import struct

REFUSED = {  # by name: the numbers on x86-64 and on aarch64
    "accept": (43, 202),
    "accept4": (288, 242),
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bind": (49, 200),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "connect": (42, 203),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "get_mempolicy": (239, 236),
    "init_module": (175, 105),
    "io_cancel": (210, 3),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_pgetevents": (333, 292),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "listen": (50, 201),
    "lookup_dcookie": (212, 18),
    "mbind": (237, 235),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "mq_getsetattr": (245, 185),
    "mq_notify": (244, 184),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182),
    "mq_unlink": (241, 181),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "seccomp": (317, 277),
    "semctl": (66, 191),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "shmget": (29, 194),
    "socket": (41, 198),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
    "vmsplice": (278, 75),
}
MISSING = {  # told that they do not exist, so that a C library or a program takes another way
    "clone3": (435, 435),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
CHECKED = {  # allowed for some arguments
    "clone": (56, 220),
    "ioctl": (16, 29),
    "personality": (135, 92),
    "prlimit64": (302, 261),
    "socketpair": (53, 199),
}
NEWEST = 450
"""The last call this table was written for; later ones are told not to exist."""
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _HIGH = 0, 4, 16, 24, 4
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_EPERM, _ENOSYS = 1, 38
_NEW_NAMESPACES = 0x7E020080
_TIOCSTI, _TIOCLINUX = REFUSED_IOCTLS = 0x5412, 0x541C
AF_UNIX = 1
_Line = tuple[int, int, int, int]


def _load(offset: int) -> _Line:
    return (0x20, 0, 0, offset)


def _return(what: int) -> _Line:
    return (0x06, 0, 0, what)


def _error(number: int) -> int:
    return 0x00050000 | number


def _unless_equal(value: int, skip: int) -> _Line:
    return (0x15, 0, skip, value)


def program(machine: str) -> bytes:
    """The filter for a machine, as the kernel takes it.

    Raises:
        KeyError: The machine is not known.
    """
    column, architecture = ARCHITECTURES[machine]
    lines = [_load(_ARCHITECTURE), (0x15, 1, 0, architecture), _return(_KILL), _load(_NUMBER)]
    # newer calls; the x32 ones have a bit set that makes them greater than all others
    lines += [(0x35, 0, 1, 0x40000000), _return(_KILL), (0x25, 0, 1, NEWEST), _return(_error(_ENOSYS))]
    lines += _search(_runs(column))
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _runs(column: int) -> list[tuple[int, list[_Line]]]:
    """What is done with calls: the first number of each run of calls that are treated alike, and the lines for them."""
    rules: dict[int | None, list[_Line]] = {numbers[column]: [_return(_error(_ENOSYS))] for numbers in MISSING.values()}
    rules |= {numbers[column]: [_DENY] for numbers in REFUSED.values()}
    rules |= {numbers[column]: _RULES[name] for name, numbers in CHECKED.items()}
    runs: list[tuple[int, list[_Line]]] = []
    for number in range(NEWEST + 1):
        rule = rules.get(number, [_return(_ALLOW)])
        if not runs or runs[-1][1] != rule:
            runs.append((number, rule))
    return runs


def _search(runs: list[tuple[int, list[_Line]]]) -> list[_Line]:
    """Find the run of a call by halves: the kernel tries every call when it takes the filter, which is for every program."""
    if len(runs) == 1:
        return runs[0][1]
    half = len(runs) // 2
    below, above = _search(runs[:half]), _search(runs[half:])
    if len(below) > _FAR:
        return [(0x35, 0, 1, runs[half][0]), (0x05, 0, 0, len(below)), *below, *above]
    return [(0x35, len(below), 0, runs[half][0]), *below, *above]


_FAR = 255
"""How far a comparison can jump."""
_DENY = _return(_error(_EPERM))
_RULES = {
    "clone": [_load(_FIRST), (0x45, 0, 1, _NEW_NAMESPACES), _DENY, _return(_ALLOW)],
    "ioctl": [_load(_SECOND), (0x15, 1, 0, _TIOCSTI), _unless_equal(_TIOCLINUX, 1), _DENY, _return(_ALLOW)],
    # only to be left as it is, or to be asked for
    "personality": [_load(_FIRST), (0x15, 1, 0, 0), _unless_equal(0xFFFFFFFF, 1), _return(_ALLOW), _DENY],
    # only one's own limits: the first process of the job may have the same user
    "prlimit64": [_load(_FIRST), _unless_equal(0, 1), _return(_ALLOW), _DENY],
    # an event loop and node's child processes need one; it leads nowhere else
    "socketpair": [_load(_FIRST), _unless_equal(AF_UNIX, 1), _return(_ALLOW), _DENY],
}
