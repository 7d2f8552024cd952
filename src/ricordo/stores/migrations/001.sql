create table banks (
    number integer primary key autoincrement,
    id text not null unique,
    name text not null,
    mission text not null,
    created integer not null,
    settings text not null,
    generation integer not null default 0,
    indexed integer not null default 0,
    edition integer not null
);

create table api_keys (
    id text primary key,
    prefix text not null,
    hash text not null,
    name text not null,
    banks text not null,
    scopes text not null,
    created integer not null,
    expires integer,
    last_used integer
);

create index api_keys_prefix on api_keys (prefix);

create table memories (
    row integer primary key autoincrement,
    bank integer not null references banks,
    id text not null,
    kind integer not null,
    at integer not null,
    created integer not null,
    importance real not null,
    expires integer,
    modality text not null,
    document text,
    parent text,
    position integer not null,
    session text,
    digest blob not null,
    tagged integer not null,
    tags text not null,
    page integer,
    span_start integer,
    span_end integer,
    headings text not null,
    context text not null,
    data text not null,
    text text not null
);

create unique index memories_id on memories (bank, id);

create index memories_columns on memories (bank, row, kind, at, created, importance, expires, modality, digest, id);

create index memories_at on memories (bank, at);

create index memories_document on memories (bank, document, position);

create index memories_parent on memories (bank, parent) where parent is not null;

create index memories_session on memories (bank, session) where session is not null;

create index memories_digest on memories (digest);

create table gone (
    seq integer primary key autoincrement,
    bank integer not null,
    row integer not null
);

create table cells (
    bank integer not null,
    key blob not null,
    type integer not null,
    value not null,
    row integer not null,
    primary key (bank, key, type, value, row)
) without rowid;

create table versions (
    bank integer not null,
    memory text not null,
    number integer not null,
    text text not null,
    importance real not null,
    tags text not null,
    data text not null,
    changed integer not null,
    reason text not null,
    primary key (bank, memory, number)
) without rowid;

create table segments (
    id integer primary key autoincrement,
    bank integer not null,
    first integer not null,
    size integer not null,
    blob blob not null
);

create index segments_order on segments (bank, first, size);

create table spaces (
    number integer primary key autoincrement,
    name text not null unique,
    dimension integer not null,
    generation integer not null default 0,
    epoch integer not null default 0
);

create table vectors (
    row integer primary key autoincrement,
    space integer not null references spaces,
    digest blob not null,
    data blob not null
);

create unique index vectors_digest on vectors (digest, space);

create index vectors_space on vectors (space);

create table outbox (
    seq integer primary key autoincrement,
    space text not null,
    bank integer not null,
    memory text not null,
    gone integer not null,
    unique (bank, memory, space)
);

create index outbox_order on outbox (space, seq);

create table entities (
    bank integer not null,
    id text not null,
    name text not null,
    type text not null,
    aliases text not null,
    primary key (bank, id)
) without rowid;

create table entity_names (
    bank integer not null,
    name text not null,
    entity text not null,
    primary key (bank, name, entity)
) without rowid;

create index entity_names_entity on entity_names (bank, entity);

create table relations (
    bank integer not null,
    source text not null,
    label text not null,
    target text not null,
    memory text not null,
    weight real not null,
    primary key (bank, source, label, target, memory)
) without rowid;

create index relations_target on relations (bank, target);

create index relations_memory on relations (bank, memory);

create table operations (
    seq integer primary key autoincrement,
    id text not null unique,
    bank text not null,
    kind text not null,
    payload text not null,
    key text,
    status text not null,
    tries integer not null,
    done integer not null,
    total integer not null,
    error text not null,
    result text not null,
    parent text,
    created integer not null,
    not_before integer,
    lease_until integer,
    owner text,
    unique (bank, key)
);

create index operations_bank on operations (bank, created);

create index operations_parent on operations (parent) where parent is not null;

create index operations_open on operations (created) where status in ('pending', 'processing');
