import type { AnswerCheck, CheckedAnswer } from './answer-check.ts';

/** Answers in the bytes that a socket got, as far as they are whole; each byte as one character. */
export function answersIn(bytes: string): readonly CheckedAnswer[] {
  const found: CheckedAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const head = bytes.slice(at, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (end < 0 || Number.isNaN(status)) return found;
    const header = (name: string): string | null =>
      new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1] ?? null;
    const size = Number(header('content-length') ?? 0);
    const text = bytes.slice(end + 4, end + 4 + size);
    at = end + 4 + size;
    if (text.length < size) return found;
    if (status >= 200) found.push({ status, header, text: Buffer.from(text, 'latin1').toString() });
  }
}

/**
 * Throws unless each answer to raw bytes is one that the document has: for the request in whose place it stands, or for
 * requests that nothing takes. Pages about the exchange and upgrades are left out.
 */
export function expectRawDescribed(check: AnswerCheck, sent: string, received: string): void {
  const requests = [...sent.matchAll(/(?:^|\n)([A-Z]+) (\S+) HTTP\/1\.1\r?\n/g)];
  for (const [index, answer] of answersIn(received).entries()) {
    const [, method = 'GET', target = '/'] = requests[index] ?? [];
    const path = target.replace(/^https?:\/\/[^/]*/, '');
    if (answer.status < 300 && !path.startsWith('/api/')) continue;
    const faults = check.faults(method, path, answer);
    if (faults.length === 0 || check.faults('GET', '/', answer).length === 0) continue;
    throw new TypeError(
      `${method} ${path.slice(0, 80)} answered ${answer.status} ${answer.text}: ${faults.join('; ')}`,
    );
  }
}
