/** The instructions of the EVM that the test contract needs, by name. */
const opcodes = {
  ADD: 0x01,
  SUB: 0x03,
  LT: 0x10,
  EQ: 0x14,
  SHR: 0x1c,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CODECOPY: 0x39,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  DUP2: 0x81,
  SWAP1: 0x90,
  LOG3: 0xa3,
  CALL: 0xf1,
  RETURN: 0xf3,
  REVERT: 0xfd,
} as const;

const push1 = 0x60;
/** Bytes of a jump target: PUSH2 reaches every byte of a contract. */
const targetSize = 2;

/**
 * Bytes of a program. Words are separated by blanks: an instruction, a number `0x…` to push (as many bytes as it has
 * digits for), `:name` to mark a place to jump to, `@name` to push such a place. `;` begins a comment.
 */
export function assemble(program: string): Uint8Array {
  const words = program.replace(/;.*$/gm, '').split(/\s+/).filter(Boolean);
  const bytes: number[] = [];
  const places = new Map<string, number>();
  const targets: { readonly at: number; readonly name: string }[] = [];
  for (const word of words) {
    if (word.startsWith('0x')) {
      const pushed = Buffer.from(word.slice(2), 'hex');
      bytes.push(push1 + pushed.length - 1, ...pushed);
    } else if (word.startsWith(':')) {
      places.set(word.slice(1), bytes.length);
      bytes.push(opcodes.JUMPDEST);
    } else if (word.startsWith('@')) {
      bytes.push(push1 + targetSize - 1);
      targets.push({ at: bytes.length, name: word.slice(1) });
      bytes.push(0, 0);
    } else if (word in opcodes) bytes.push(opcodes[word as keyof typeof opcodes]);
    else throw new Error(`${word} is no instruction`);
  }
  for (const { at, name } of targets) {
    const place = places.get(name);
    if (place === undefined) throw new Error(`nothing is marked :${name}`);
    bytes[at] = place >> 8;
    bytes[at + 1] = place & 0xff;
  }
  return Uint8Array.from(bytes);
}

/** Code that deploys a contract: runs `setUp`, then hands out `runtime`. */
export function deployCode(setUp: string, runtime: Uint8Array): string {
  const size = `0x${runtime.length.toString(16).padStart(4, '0')}`;
  const before = (offset: number) =>
    assemble(`${setUp} ${size} 0x${offset.toString(16).padStart(4, '0')} 0x00 CODECOPY ${size} 0x00 RETURN`);
  const code = before(before(0).length);
  return '0x' + Buffer.from(code).toString('hex') + Buffer.from(runtime).toString('hex');
}
