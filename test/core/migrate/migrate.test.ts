import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate } from "../../../core/migrate.ts";

let folder: string;
let url: string;
let sql: postgres.Sql;

beforeEach(async () => {
  folder = `${await mkdtemp(join(tmpdir(), "sira-migrate-"))}/`;
  await mkdir(`${folder}functions`);
  const name = `m_${crypto.randomUUID().replaceAll("-", "")}`;
  const server = postgres(inject("postgresUrl"), { max: 1, onnotice: () => undefined });
  await server`create database ${server(name)}`;
  await server.end();
  const address = new URL(inject("postgresUrl"));
  address.pathname = `/${name}`;
  url = address.href;
  sql = postgres(url, { max: 1, onnotice: () => undefined });
});

afterEach(async () => {
  await sql.end();
  await rm(folder, { recursive: true });
  const server = postgres(inject("postgresUrl"), { max: 1, onnotice: () => undefined });
  await server`drop database ${server(new URL(url).pathname.slice(1))} with (force)`;
  await server.end();
});

const write = (name: string, text: string) => writeFile(`${folder}${name}`, text);
const answer = (n: number) =>
  `create or replace function answer() returns int language sql as $$ select ${n} $$;`;

test("numbered files run once each and in order, functions again when they changed", async () => {
  await write("0001_things.sql", "create table things (id int);");
  await write("0002_more.sql", "alter table things add column n int;");
  await write("functions/answer.sql", answer(1));
  expect(await migrate(url, folder)).toEqual({
    applied: ["0001_things.sql", "0002_more.sql"],
    functions: ["answer.sql"],
  });
  expect(await migrate(url, folder)).toEqual({ applied: [], functions: [] });
  await write("functions/answer.sql", answer(2));
  expect(await migrate(url, folder)).toEqual({ applied: [], functions: ["answer.sql"] });
  expect(await sql`select answer()`).toEqual([{ answer: 2 }]);
});

test("two runners at once do the work of one", async () => {
  await write("0001_things.sql", "create table things (id int); select pg_sleep(0.2);");
  await write("functions/answer.sql", answer(1));
  const reports = await Promise.all([1, 2, 3].map(() => migrate(url, folder)));
  expect(reports.flatMap(({ applied }) => applied)).toEqual(["0001_things.sql"]);
  expect(reports.flatMap(({ functions }) => functions)).toEqual(["answer.sql"]);
});

test("a file that fails leaves nothing of itself, and is named", async () => {
  await write("0001_things.sql", "create table things (id int); select nothing_like_it();");
  await expect(migrate(url, folder)).rejects.toThrow("0001_things.sql");
  expect(await sql`select to_regclass('things') as found`).toEqual([{ found: null }]);
  await write("0001_things.sql", "create table things (id int);");
  expect((await migrate(url, folder)).applied).toEqual(["0001_things.sql"]);
});

test("a numbered file that ran may neither change nor go", async () => {
  await write("0001_things.sql", "create table things (id int);");
  await migrate(url, folder);
  await write("0001_things.sql", "create table things (id bigint);");
  await expect(migrate(url, folder)).rejects.toThrow("changed");
  await rm(`${folder}0001_things.sql`);
  await expect(migrate(url, folder)).rejects.toThrow("gone");
});

test("functions may name each other whatever their order", async () => {
  await write(
    "functions/a.sql",
    "create or replace function a() returns int language sql as $$ select b() $$;",
  );
  await write(
    "functions/b.sql",
    "create or replace function b() returns int language sql as $$ select 7 $$;",
  );
  await migrate(url, folder);
  expect(await sql`select a()`).toEqual([{ a: 7 }]);
});
