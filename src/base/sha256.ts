import { sha256 as hashOf } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of a text in UTF-8, as 64 lower-case hex characters: on every machine alike. */
export const sha256 = (text: string): string => bytesToHex(hashOf(utf8ToBytes(text)));
