/**
 * A small key → value store in IndexedDB, shared by all tabs of the gate's origin. Where a browser
 * keeps storage from us, values live in this page only and `isDurable` says so.
 */

const DATABASE = "sira";
const TABLE = "kv";

const memory = new Map<string, unknown>();
let opening: Promise<IDBDatabase | undefined> | undefined;

function open(): Promise<IDBDatabase | undefined> {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
      request.onsuccess = () => {
        // Whoever clears the storage must not wait for this page.
        request.result.onversionchange = () => {
          request.result.close();
          opening = undefined;
        };
        resolve(request.result);
      };
      request.onerror = () => resolve(undefined);
      request.onblocked = () => resolve(undefined);
    } catch {
      // Some browsers throw at the mere mention of storage.
      resolve(undefined);
    }
  });
  return opening;
}

/** False when closing the page loses everything. */
export const isDurable = async (): Promise<boolean> => (await open()) !== undefined;

/** One transaction: what `body` asks happens as a whole before any other tab's. */
async function within<T>(
  mode: IDBTransactionMode,
  body: (table: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, mode);
    const request = body(transaction.objectStore(TABLE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

export async function load<T>(key: string): Promise<T | undefined> {
  if (!(await isDurable())) return memory.get(key) as T | undefined;
  return (await within("readonly", (table) => table.get(key))) as T | undefined;
}

export async function save(key: string, value: unknown): Promise<void> {
  if (await isDurable()) await within("readwrite", (table) => table.put(value, key));
  else memory.set(key, value);
}

export async function remove(key: string): Promise<void> {
  if (await isDurable()) await within("readwrite", (table) => table.delete(key));
  else memory.delete(key);
}

/**
 * Keeps the first value written under the key, whichever tab wrote it, and returns it. Ten tabs
 * opened at once must end with one key and so with one place.
 */
export async function saveFirst<T>(key: string, value: T): Promise<T> {
  const database = await open();
  if (!database) {
    if (!memory.has(key)) memory.set(key, value);
    return memory.get(key) as T;
  }
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, "readwrite");
    const table = transaction.objectStore(TABLE);
    let kept = value;
    const existing = table.get(key);
    existing.onsuccess = () => {
      if (existing.result === undefined) table.put(value, key);
      else kept = existing.result as T;
    };
    transaction.oncomplete = () => resolve(kept);
    transaction.onerror = () => reject(transaction.error);
  });
}

/** All entries whose key begins with the prefix. */
export async function loadAll<T>(prefix: string): Promise<[string, T][]> {
  if (!(await isDurable()))
    return [...memory].filter(([key]) => key.startsWith(prefix)) as [string, T][];
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const keys = (await within("readonly", (table) => table.getAllKeys(range))) ?? [];
  const values = (await within("readonly", (table) => table.getAll(range))) ?? [];
  return keys.map((key, index) => [String(key), values[index] as T]);
}

/** The entry pass of a registered person, left by the account page for the queue page. */
export const passKey = (event: string): string => `pass:${event}`;
