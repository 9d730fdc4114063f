// What workerd gives a Durable Object to keep things in, over the SQLite of Node: as much of it as Room
// and Doors use. It outlives the lives of its object; a dead life can write nothing.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Life } from "./time.ts";

export class Disk {
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements = new Map<string, StatementSync>();
  alarmAt: number | null = null;

  storageFor(life: Life, onAlarm: () => void) {
    const alive = () => {
      if (life.dead) throw new Error("this life of the object is over");
    };
    const run = (text: string, ...values: unknown[]) => {
      alive();
      const rows = this.#run(text, values as SQLInputValue[]);
      return {
        toArray: () => rows,
        one: () => {
          const [row] = rows;
          if (!row || rows.length > 1) throw new Error(`one row was expected, not ${rows.length}`);
          return row;
        },
        [Symbol.iterator]: () => rows[Symbol.iterator](),
      };
    };
    return {
      sql: { exec: run },
      transactionSync: <T>(work: () => T): T => {
        alive();
        this.#database.exec("savepoint work");
        try {
          const value = work();
          this.#database.exec("release work");
          return value;
        } catch (error) {
          this.#database.exec("rollback to work; release work");
          throw error;
        }
      },
      getAlarm: async () => this.alarmAt,
      setAlarm: async (at: number) => {
        alive();
        // An alarm is the platform's, whose clock is nobody's else.
        this.alarmAt = at - life.skewMs;
        onAlarm();
      },
      deleteAlarm: async () => {
        this.alarmAt = null;
      },
    };
  }

  #run(text: string, values: SQLInputValue[]): unknown[] {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement.all(...values);
  }
}
