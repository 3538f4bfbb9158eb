import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';

/** Version of the frames and of what they contain. Raise it with each change of either, that of `outcome` included. */
export const linkVersion = 5;

/** How a node introduces itself. */
export interface Hello {
  readonly node: string;
  /** Version of the build. */
  readonly build: string;
}

/** The other node speaks another version of the link. */
export class OtherLinkVersion extends Error {
  override name = 'OtherLinkVersion';
}

const bytesPerCharacter = 4;

/** Writes what the first frame of each side says. */
export function writeHello(writer: ByteWriter, { node, build }: Hello, version = linkVersion): void {
  writer.u16(version);
  writer.text(node);
  writer.text(build);
}

/** @throws OtherLinkVersion; MalformedBytes for what no node says. */
export function readHello(reader: ByteReader): Hello {
  const version = reader.u16();
  if (version !== linkVersion)
    throw new OtherLinkVersion(`it speaks version ${version} of the link, this node version ${linkVersion}`);
  const node = reader.text(linkLimits.nameLength * bytesPerCharacter);
  const build = reader.text(linkLimits.nameLength * bytesPerCharacter);
  reader.finish();
  if (node === '') throw new MalformedBytes('a node without a name');
  return { node, build };
}
