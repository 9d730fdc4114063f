// Starts programs and makes sure that they end. Each set of programs keeps a list in its folder
// (`processes.json`), so that whatever a killed run left behind is found and ended by the next one.
// It never ends a process that it did not start itself: before a leftover is ended, its command
// line is compared with the one that was written down.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const STOP_GRACE_MS = 10_000;
const LOG_TAIL_LINES = 15;

export interface ProgramSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly stopSignal?: NodeJS.Signals;
  /** What it knows is lost when it ends: starting it again would hide that. */
  readonly keepsInMemory?: boolean;
}

export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<string>;
  running(): boolean;
  /** True once `stop` was asked for. */
  wasStopped(): boolean;
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

export interface Processes {
  readonly dir: string;
  start(spec: ProgramSpec): Program;
  /** Hears of every program that ends without having been told to. */
  onEnd(listener: (spec: ProgramSpec, program: Program, how: string) => void): void;
  isStopping(): boolean;
  /** Ends everything, the last started first. */
  stopAll(): Promise<void>;
}

interface ListedProgram {
  readonly name: string;
  readonly pid: number;
  readonly command: string;
  readonly stopSignal: NodeJS.Signals;
}

interface ProcessList {
  readonly owner: number;
  readonly programs: readonly ListedProgram[];
}

export function createProcesses(dir: string): Processes {
  mkdirSync(join(dir, "logs"), { recursive: true });
  const running: { program: Program; listed: ListedProgram }[] = [];
  const listeners: ((spec: ProgramSpec, program: Program, how: string) => void)[] = [];
  let isStopping = false;
  const saveList = (): void => {
    const list: ProcessList = {
      owner: process.pid,
      programs: running.map(({ listed }) => listed),
    };
    // The folder is gone when it was removed together with the services' data.
    if (existsSync(dir)) writeFileSync(listFile(dir), JSON.stringify(list));
  };
  const killLeft = (): void => {
    for (const { program, listed } of running) program.kill(listed.stopSignal);
  };
  process.once("exit", killLeft);
  saveList();

  return {
    dir,
    start(spec) {
      if (isStopping) throw new Error(`${spec.name} was not started: everything is being stopped`);
      const program = startProgram(dir, spec, () => {
        const index = running.findIndex((entry) => entry.program === program);
        if (index >= 0) running.splice(index, 1);
        saveList();
      });
      const stopSignal = spec.stopSignal ?? "SIGTERM";
      const command = spec.command;
      running.push({ program, listed: { name: spec.name, pid: program.pid, command, stopSignal } });
      saveList();
      void program.exited.then((how) => {
        if (isStopping || program.wasStopped()) return;
        for (const listener of listeners) listener(spec, program, how);
      });
      return program;
    },
    onEnd(listener) {
      listeners.push(listener);
    },
    isStopping: () => isStopping,
    async stopAll() {
      isStopping = true;
      for (const { program } of [...running].reverse()) await program.stop();
      process.off("exit", killLeft);
    },
  };
}

function startProgram(dir: string, spec: ProgramSpec, onExit: () => void): Program {
  const logFile = join(dir, "logs", `${spec.name}.log`);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "a");
  const child: ChildProcess = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env ?? process.env,
    // A group of its own: Ctrl-C in the terminal reaches only us, and we end the parts in order.
    detached: true,
    stdio: ["ignore", log, log],
    ...spec.user,
  });
  closeSync(log);
  let ended = false;
  let wasStopped = false;
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`));
  }).then((how) => {
    ended = true;
    onExit();
    return how;
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (!ended && child.pid !== undefined) child.kill(signal);
  };
  return {
    name: spec.name,
    pid: child.pid ?? 0,
    logFile,
    exited,
    running: () => !ended,
    wasStopped: () => wasStopped,
    kill,
    async stop() {
      wasStopped = true;
      kill(spec.stopSignal ?? "SIGTERM");
      const grace = new AbortController();
      const timer = sleep(STOP_GRACE_MS, "slow", { signal: grace.signal }).catch(() => "done");
      if ((await Promise.race([exited, timer])) === "slow") kill("SIGKILL");
      await exited;
      grace.abort();
    },
  };
}

/** Waits until `check` holds; an early death of the program is reported with the end of its log. */
export async function waitUntilReady(
  program: Program,
  check: () => Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (!program.running()) {
      throw new Error(
        `${program.name} ended while starting (${await program.exited}):\n${logTail(program.logFile)}`,
      );
    }
    if (await check().catch(() => false)) return;
    await sleep(50);
  }
  throw new Error(
    `${program.name} was not ready after ${timeoutMs / 1000} s:\n${logTail(program.logFile)}`,
  );
}

export function logTail(file: string): string {
  if (!existsSync(file)) return "(no log)";
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
}

/** The process that owns this folder and is still alive, if any. */
export function findOwner(dir: string): number | undefined {
  const owner = readList(dir)?.owner;
  if (owner === undefined || owner === process.pid) return undefined;
  return isNodeProcess(owner) ? owner : undefined;
}

/** Ids are used again: a process that is alive and no Node is somebody else. */
export function isNodeProcess(pid: number): boolean {
  return pid > 0 && commandOf(pid)?.includes("node") === true;
}

/** Ends what a run left behind that was itself killed. Returns the names of what was ended. */
export async function endLeftovers(dir: string): Promise<string[]> {
  if (findOwner(dir) !== undefined) return [];
  const ended: string[] = [];
  for (const left of [...(readList(dir)?.programs ?? [])].reverse()) {
    if (!isListed(left)) continue;
    ended.push(left.name);
    process.kill(left.pid, left.stopSignal);
    const deadline = Date.now() + STOP_GRACE_MS;
    while (isListed(left) && Date.now() < deadline) await sleep(50);
    if (isListed(left)) process.kill(left.pid, "SIGKILL");
  }
  return ended;
}

function isListed(left: ListedProgram): boolean {
  return left.pid > 0 && commandOf(left.pid)?.includes(left.command) === true;
}

function listFile(dir: string): string {
  return join(dir, "processes.json");
}

function readList(dir: string): ProcessList | undefined {
  if (!existsSync(listFile(dir))) return undefined;
  const list: ProcessList = JSON.parse(readFileSync(listFile(dir), "utf8"));
  return list;
}

function commandOf(pid: number): string | undefined {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync(file)) return readFileSync(file, "utf8").replaceAll("\0", " ");
  if (process.platform === "linux") return undefined;
  return psCommand(pid);
}

function psCommand(pid: number): string | undefined {
  const result = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return result.status === 0 ? result.stdout : undefined;
}
