"""A small writer of OLE files, for Outlook messages that no library here can write."""

import struct

END, FREE, NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF


def ole(tree):
    """tree: name → bytes (a stream) or dict (a storage)."""
    entries = [("Root Entry", 5, None)]
    children = {}

    def add(number, inner):
        numbers = []
        for name, value in inner.items():
            numbers.append(len(entries))
            entries.append((name, 1 if isinstance(value, dict) else 2, value))
            if isinstance(value, dict):
                add(numbers[-1], value)
        children[number] = numbers

    add(0, tree)
    small, mini_fat, sectors, fat, starts = bytearray(), [], [], [], {}

    def store(data):
        first = len(sectors)
        pieces = [data[i : i + 512].ljust(512, b"\0") for i in range(0, len(data), 512)]
        sectors.extend(pieces)
        fat.extend([*range(first + 1, first + len(pieces)), END] if pieces else [])
        return first if pieces else END

    for number, (_, kind, value) in enumerate(entries):
        if kind == 2 and len(value) >= 4096:
            starts[number] = store(value)
        elif kind == 2 and value:
            starts[number] = len(mini_fat)
            count = -(-len(value) // 64)
            mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), END]
            small += value.ljust(count * 64, b"\0")
    starts[0] = store(bytes(small))
    mini_start = store(struct.pack(f"<{len(mini_fat)}I", *mini_fat))
    directory = b"".join(_entry(n, e, children, starts, len(small)) for n, e in enumerate(entries))
    directory_start = store(directory + _entry(0, ("", 0, None), {}, {}, 0) * (-len(entries) % 4))
    fat_sectors = 1
    while (len(fat) + fat_sectors) > fat_sectors * 128:
        fat_sectors += 1
    first_fat = len(sectors)
    fat += [0xFFFFFFFD] * fat_sectors
    fat += [FREE] * (fat_sectors * 128 - len(fat))
    sectors.extend(struct.pack("<128I", *fat[i * 128 : i * 128 + 128]) for i in range(fat_sectors))
    header = struct.pack("<8s16sHHHHH6x", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, fat_sectors, directory_start, 0, 4096, mini_start, 1, END, 0)
    difat = [*range(first_fat, first_fat + fat_sectors)]
    header += struct.pack("<109I", *difat, *[FREE] * (109 - len(difat)))
    return header + b"".join(sectors)


def _entry(number, entry, children, starts, mini_size):
    name, kind, value = entry
    raw = name.encode("utf-16-le")
    following = NONE
    for numbers in children.values():
        if number in numbers and numbers.index(number) + 1 < len(numbers):
            following = numbers[numbers.index(number) + 1]
    size = mini_size if kind == 5 else len(value) if kind == 2 else 0
    return struct.pack(
        "<64sHBBIII16sI8s8sIQ",
        raw, len(raw) + 2 if name else 0, kind, 1, NONE, following, (children.get(number) or [NONE])[0],
        b"", 0, b"", b"", starts.get(number, END), size,
    )  # fmt: skip


def properties(header, numbers):
    """The stream of fixed properties; numbers: property → int."""
    rows = [struct.pack("<HHIQ", 3, number, 6, value) for number, value in numbers.items()]
    return bytes(header) + b"".join(rows)


def substream(number, value, code_page=None):
    """Name and bytes of a property: text in UTF-16, or narrow in a code page, or binary."""
    if isinstance(value, bytes):
        return f"__substg1.0_{number:04X}0102", value
    if code_page:
        return f"__substg1.0_{number:04X}001E", value.encode(code_page)
    return f"__substg1.0_{number:04X}001F", value.encode("utf-16-le")
