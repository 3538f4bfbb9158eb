/** Kinds of frames that carry a push or a reply. RFC 6455, section 11.8. */
const opcodes = { text: 1, binary: 2 } as const;
export type FrameKind = keyof typeof opcodes;

const finalFragment = 0x80;
const shortLengthMax = 125;
const mediumLengthMax = 0xffff;

/** A whole unmasked frame, as servers send it: the payload is copied once, behind its header. RFC 6455, section 5.2. */
export function frameOf(kind: FrameKind, payload: Uint8Array): Buffer {
  const { length } = payload;
  const headSize = length <= shortLengthMax ? 2 : length <= mediumLengthMax ? 4 : 10;
  const frame = Buffer.allocUnsafe(headSize + length);
  frame[0] = finalFragment | opcodes[kind];
  if (headSize === 2) {
    frame[1] = length;
  } else if (headSize === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(payload, headSize);
  return frame;
}
