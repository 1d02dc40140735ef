"""Linux system calls by name, with their numbers.

On x86-64 and aarch64 (None: the machine does not have it). :data:`ALLOWED` and :data:`CHECKED` are all that a program
in a jail may use. They are the calls that CPython, Bash with the usual tools, GCC and its programs, Node, Lean, Coq,
numpy and scikit-learn were measured to make, those that other C libraries make instead, and the rest of the same
families. A test compares the numbers with the headers of the kernel.
"""

from __future__ import annotations

# fmt: off
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    # files and directories
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "creat": (85, None), "stat": (4, None),
    "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291), "lseek": (8, 62),
    "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66), "preadv": (295, 69),
    "pwritev": (296, 70), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "pipe": (22, None),
    "pipe2": (293, 59), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "close_range": (436, 436),
    "sendfile": (40, 71), "copy_file_range": (326, 285), "fsync": (74, 82), "fdatasync": (75, 83), "msync": (26, 227),
    "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "getdents": (78, None),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "rename": (82, None),
    "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "link": (86, None), "linkat": (265, 37), "unlink": (87, None), "unlinkat": (263, 35), "symlink": (88, None),
    "symlinkat": (266, 36), "readlink": (89, None), "readlinkat": (267, 78), "mknod": (133, None),
    "mknodat": (259, 33), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "umask": (95, 166), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88), "statfs": (137, 43),
    "fstatfs": (138, 44), "openat": (257, 56), "flock": (73, 32), "getxattr": (191, 8), "lgetxattr": (192, 9),
    "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12), "flistxattr": (196, 13),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    # waiting for descriptors
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd": (284, None), "eventfd2": (290, 19), "signalfd": (282, None),
    "signalfd4": (289, 74), "timerfd_create": (283, 85), "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87),
    # the two ends of a socket pair
    "sendto": (44, 206), "recvfrom": (45, 207), "sendmsg": (46, 211), "recvmsg": (47, 212), "sendmmsg": (307, 269),
    "recvmmsg": (299, 243), "shutdown": (48, 210), "getsockname": (51, 204), "getpeername": (52, 205),
    "getsockopt": (55, 209),
    # memory
    "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "brk": (12, 214),
    "membarrier": (324, 283),
    # processes and threads
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "exit": (60, 93), "exit_group": (231, 94),
    "wait4": (61, 260), "waitid": (247, 95), "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getgroups": (115, 158),
    "getresuid": (118, 148), "getresgid": (120, 150), "setuid": (105, 146), "setgid": (106, 144),
    "setreuid": (113, 145), "setregid": (114, 143), "setresuid": (117, 147), "setresgid": (119, 149),
    "setgroups": (116, 159), "getpgid": (121, 155), "getpgrp": (111, None), "getsid": (124, 156),
    "setsid": (112, 157), "setpgid": (109, 154), "capget": (125, 90), "arch_prctl": (158, None),
    "set_tid_address": (218, 96), "set_robust_list": (273, 99), "futex": (202, 98), "rseq": (334, 293),
    "pidfd_open": (434, 434), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_setaffinity": (203, 122), "sched_getparam": (143, 121), "sched_setparam": (142, 118),
    "sched_getscheduler": (145, 120), "sched_setscheduler": (144, 119), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "sched_rr_get_interval": (148, 127), "getpriority": (140, 141),
    "setpriority": (141, 140), "getcpu": (309, 168), "uname": (63, 160), "getrlimit": (97, 163),
    "setrlimit": (160, 164), "getrusage": (98, 165), "sysinfo": (99, 179), "getrandom": (318, 278),
    # signals
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "sigaltstack": (131, 132), "kill": (62, 129), "tkill": (200, 130),
    "tgkill": (234, 131), "pidfd_send_signal": (424, 424), "pause": (34, None), "restart_syscall": (219, 128),
    # time
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "timer_create": (222, 107), "timer_settime": (223, 110), "timer_gettime": (224, 108),
    "timer_getoverrun": (225, 109), "timer_delete": (226, 111),
}
# Allowed for some arguments.
CHECKED: dict[str, tuple[int | None, int | None]] = {
    "clone": (56, 220), "fadvise64": (221, 223), "fcntl": (72, 25), "ioctl": (16, 29), "madvise": (28, 233),
    "personality": (135, 92), "prctl": (157, 167), "prlimit64": (302, 261), "setsockopt": (54, 208),
    "socketpair": (53, 199),
}
# Known to be hostile: not permitted.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    "accept": (43, 202), "accept4": (288, 242), "acct": (163, 89), "add_key": (248, 217), "adjtimex": (159, 171),
    "bind": (49, 200), "bpf": (321, 280), "chroot": (161, 51), "clock_adjtime": (305, 266),
    "clock_settime": (227, 112), "connect": (42, 203), "delete_module": (176, 106), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263), "finit_module": (313, 273), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fsopen": (430, 430), "fspick": (433, 433), "get_mempolicy": (239, 236), "init_module": (175, 105),
    "io_cancel": (210, 3), "io_destroy": (207, 1), "io_getevents": (208, 4), "io_pgetevents": (333, 292),
    "io_setup": (206, 0), "io_submit": (209, 2), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425), "ioperm": (173, None), "iopl": (172, None), "kcmp": (312, 272),
    "kexec_file_load": (320, 294), "kexec_load": (246, 104), "keyctl": (250, 219), "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444), "landlock_restrict_self": (446, 446), "listen": (50, 201),
    "lookup_dcookie": (212, 18), "mbind": (237, 235), "migrate_pages": (256, 238), "modify_ldt": (154, None),
    "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429), "move_pages": (279, 239),
    "mq_getsetattr": (245, 185), "mq_notify": (244, 184), "mq_open": (240, 180), "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182), "mq_unlink": (241, 181), "msgctl": (71, 187), "msgget": (68, 186),
    "msgrcv": (70, 188), "msgsnd": (69, 189), "name_to_handle_at": (303, 264), "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438), "pivot_root": (155, 41), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "reboot": (169, 142), "request_key": (249, 218), "seccomp": (317, 277),
    "semctl": (66, 191), "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192),
    "set_mempolicy": (238, 237), "set_mempolicy_home_node": (450, 450), "setdomainname": (171, 162),
    "sethostname": (170, 161), "setns": (308, 268), "settimeofday": (164, 170), "shmat": (30, 196),
    "shmctl": (31, 195), "shmdt": (67, 197), "shmget": (29, 194), "socket": (41, 198), "swapoff": (168, 225),
    "swapon": (167, 224), "syslog": (103, 116), "umount2": (166, 39), "unshare": (272, 97), "uselib": (134, None),
    "userfaultfd": (323, 282), "vhangup": (153, 58), "vmsplice": (278, 75),
}
# What the filter of the Docker daemon hides, too: C libraries try them first, and take another way.
MISSING: dict[str, tuple[int | None, int | None]] = {
    "clone3": (435, 435), "memfd_create": (319, 279), "memfd_secret": (447, 447),
}
# fmt: on
