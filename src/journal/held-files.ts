import { errorCode, type FileOperations, type OpenFile } from '#journal/file-operations.ts';

interface Held {
  readonly file: OpenFile;
  /** Bytes of it that count. */
  readonly size: number;
}

const readOnly = (): never => {
  throw new Error('held files are only read');
};

/**
 * Files that are kept open, so that they can be read as they are although another process deletes or replaces them.
 * As a file system it holds these files alone, for the readers of this folder.
 */
export class HeldFiles implements FileOperations {
  private readonly files: FileOperations;
  private readonly held = new Map<string, Held>();

  constructor(files: FileOperations) {
    this.files = files;
  }

  /** Keeps a file open with the size that it has now. Answers false if there is none. */
  async keep(path: string): Promise<boolean> {
    let file: OpenFile;
    try {
      file = await this.files.open(path, 'read');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    try {
      this.held.set(path, { file, size: await file.size() });
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return true;
  }

  /** From now on the file ends at `size`, or before if it is shorter. */
  limit(path: string, size: number): void {
    this.held.set(path, { ...this.get(path), size });
  }

  /** Takes the size that the file has now. */
  async refresh(path: string): Promise<void> {
    this.limit(path, await this.get(path).file.size());
  }

  /** Resolves once what was read of it survives a crash of the machine. */
  sync(path: string): Promise<void> {
    return this.get(path).file.sync();
  }

  async drop(path: string): Promise<void> {
    const { file } = this.get(path);
    this.held.delete(path);
    await file.close();
  }

  /** Closes all of them. */
  async release(): Promise<void> {
    for (const path of this.paths()) await this.drop(path);
  }

  /** Paths of all of them, sorted. */
  paths(): readonly string[] {
    return [...this.held.keys()].sort();
  }

  async open(path: string): Promise<OpenFile> {
    const { file } = this.get(path);
    return {
      size: async () => this.get(path).size,
      read: (into, position) => {
        const left = Math.max(0, this.get(path).size - position);
        return file.read(into.length > left ? into.subarray(0, left) : into, position);
      },
      write: readOnly,
      writeThrough: readOnly,
      sync: () => file.sync(),
      close: async () => undefined,
    };
  }

  async list(directory: string): Promise<readonly string[]> {
    const start = `${directory}/`;
    const below = this.paths().filter((path) => path.startsWith(start));
    return below.map((path) => path.slice(start.length)).filter((name) => !name.includes('/'));
  }

  /** Nothing is made: what is held stands in directories. */
  async makeDirectory(): Promise<void> {}

  readonly hold = readOnly;
  readonly rename = readOnly;
  readonly unlink = readOnly;
  readonly syncDirectory = readOnly;

  private get(path: string): Held {
    const held = this.held.get(path);
    if (held === undefined) throw Object.assign(new Error(`${path} is not held`), { code: 'ENOENT' });
    return held;
  }
}
