-- Who may what. Grant one of three roles to each login:
--   episodes_reader  reads all projects that are not private, and those it was admitted to
--   episodes_writer  reads, makes projects, and writes to its own and those it was admitted to
--   episodes_owner   reads and writes all of them, but not what others keep private
-- The login is session_user, which "set role" does not change.

do $$ begin
	begin create role episodes_reader nologin; exception when duplicate_object or unique_violation then null; end;
	begin create role episodes_writer nologin; exception when duplicate_object or unique_violation then null; end;
	begin create role episodes_owner nologin; exception when duplicate_object or unique_violation then null; end;
end $$;
grant episodes_reader to episodes_writer;
grant episodes_writer to episodes_owner;

-- The functions run with the rights of who made the tables, so that a rule does not meet the
-- rules of the tables that it asks. Their search_path ends with pg_temp, which otherwise comes
-- first: any login can make types there, with checks that would then run with these rights.

create or replace function episodes.owns_all() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
	select pg_has_role(session_user, 'episodes_owner', 'member')
$$;

create or replace function episodes.readable() returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
	select p.id from episodes.project p
	where not p.private or p.owner = session_user or episodes.owns_all()
		or exists (select 1 from episodes.member m where m.project = p.id and m.login = session_user)
$$;

create or replace function episodes.writable() returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
	select p.id from episodes.project p
	where p.owner = session_user or episodes.owns_all()
		or exists (select 1 from episodes.member m where m.project = p.id and m.login = session_user and m.writes)
$$;

-- The episodes that hold most of some words, by the sum of their weights: of the projects
-- asked for, those that may be read. It is a function since a row-level rule would keep the
-- index of the words from being used. What the login keeps private is in no sum, and is read
-- through.
create or replace function episodes.find(projects bigint[], words bigint[], weights float8[], most int)
returns table (project bigint, holder text, id text, body bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
	with mine as (
		select r from episodes.readable() r where r = any(find.projects)
	), hits as (
		(
			select e.project, e.holder, e.id, w.weight
			from unnest(find.words, find.weights) as w (word, weight)
			join episodes.word c on c.word = w.word and c.project = any(array(select r from mine)) and c.sessions > 0
			join episodes.episode e on e.words @> array[c.word # (c.project << 40)]
			where e.project = c.project and e.holder = ''
			limit 8000 -- a word that tells least can stand alone
		)
		union all
		select e.project, e.holder, e.id, w.weight
		from episodes.episode e
		join unnest(find.words, find.weights) as w (word, weight) on w.word # (e.project << 40) = any(e.words)
		where e.project = any(array(select r from mine)) and e.holder = session_user::pg_catalog.text
	), best as (
		select project, holder, id, sum(weight) as score from hits group by 1, 2, 3 order by 4 desc, 3 limit most
	)
	select e.project, e.holder, e.id, e.body
	from best join episodes.episode e using (project, holder, id)
	where octet_length(e.body) <= 1048576 -- what one question reads has a bound
	order by best.score desc, e.id
$$;

-- Which of some words stand in what the login keeps private.
create or replace function episodes.own_words(projects bigint[], words bigint[]) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
	select distinct w.word from episodes.episode e
	join unnest(own_words.words) as w (word) on w.word # (e.project << 40) = any(e.words)
	where e.project = any(projects) and e.project in (select episodes.readable()) and e.holder = session_user::pg_catalog.text
$$;

-- What the owner of a project decides; null where nothing is done, since the login may not, or
-- there is no such project, or nobody of that name.
create or replace function episodes.owned(named text) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
	select p.id from episodes.project p where p.name = named and (p.owner = session_user or episodes.owns_all())
$$;

create or replace function episodes.admit(named text, who text, may_write boolean) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
	insert into episodes.member (project, login, writes)
	select p, who, may_write from episodes.owned(named) p
	where exists (select 1 from pg_roles r where r.rolname = who and r.rolcanlogin
		and pg_has_role(r.oid, case when may_write then 'episodes_writer'::name else 'episodes_reader' end, 'member'))
	on conflict (project, login) do update set writes = excluded.writes
	returning true
$$;

create or replace function episodes.dismiss(named text, who text) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
	delete from episodes.member m where m.project in (select episodes.owned(named)) and m.login = who
	returning true
$$;

create or replace function episodes.give(named text, who text) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
	update episodes.project p set owner = who
	where p.id in (select episodes.owned(named))
		and exists (select 1 from pg_roles r where r.rolname = who and r.rolcanlogin and pg_has_role(r.oid, 'episodes_writer', 'member'))
	returning true
$$;

create or replace function episodes.set_private(named text, is_private boolean) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
	update episodes.project p set private = is_private where p.id in (select episodes.owned(named))
	returning true
$$;

create or replace function episodes.remove(named text) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
	delete from episodes.project p where p.id in (select episodes.owned(named))
	returning true
$$;

-- Deletes what a login keeps private, which the owner of the project cannot read.
create or replace function episodes.delete_private(named text, who text) returns bigint
language sql security definer set search_path = pg_catalog, pg_temp as $$
	with deleted as (
		delete from episodes.episode e where e.project in (select episodes.owned(named)) and e.holder = who and who <> ''
		returning 1
	)
	select count(*) from deleted
$$;

revoke all on all functions in schema episodes from public;
revoke all on schema episodes from public;
grant usage on schema episodes to episodes_reader;
grant execute on all functions in schema episodes to episodes_reader;
grant select on all tables in schema episodes to episodes_reader;
grant insert (name), update (sessions) on episodes.project to episodes_writer;
grant insert, update, delete on episodes.episode, episodes.gone, episodes.word to episodes_writer;

alter table episodes.project enable row level security;
alter table episodes.member enable row level security;
alter table episodes.episode enable row level security;
alter table episodes.gone enable row level security;
alter table episodes.word enable row level security;

-- A project that was just made is not among readable() yet.
drop policy if exists reading on episodes.project;
create policy reading on episodes.project for select using (owner = session_user or id in (select episodes.readable()));
drop policy if exists making on episodes.project;
create policy making on episodes.project for insert with check (owner = session_user);
drop policy if exists changing on episodes.project;
create policy changing on episodes.project for update using (id in (select episodes.writable()));

drop policy if exists reading on episodes.member;
create policy reading on episodes.member for select using (login = session_user or project in (select episodes.writable()));

drop policy if exists reading on episodes.episode;
create policy reading on episodes.episode for select using (holder in ('', session_user) and project in (select episodes.readable()));
drop policy if exists writing on episodes.episode;
create policy writing on episodes.episode for all using (holder in ('', session_user) and project in (select episodes.writable()));

drop policy if exists reading on episodes.gone;
create policy reading on episodes.gone for select using (project in (select episodes.readable()));
drop policy if exists writing on episodes.gone;
create policy writing on episodes.gone for all using (project in (select episodes.writable()));

drop policy if exists reading on episodes.word;
create policy reading on episodes.word for select using (project in (select episodes.readable()));
drop policy if exists writing on episodes.word;
create policy writing on episodes.word for all using (project in (select episodes.writable()));
