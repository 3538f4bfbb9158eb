import type { Answer } from '#http/refusal.ts';
import type { InterceptedRequest } from '#http/request-interception.ts';
import { faultLimits } from '#sandbox/faults/fault-rule.ts';

interface KeptAnswer {
  readonly at: number;
  readonly answer: Answer;
  readonly bytes: number;
}

/** Bytes that an answer counts beside its text and what was asked. */
const overhead = 200;

const signing = /(?:^|&)(?:timestamp|signature|recvWindow)=[^&]*/g;

/** What is asked, by whom: without what differs each time that it is signed. */
const questionOf = ({ accessKey, path, query }: InterceptedRequest): string =>
  `${accessKey ?? ''} ${path}?${query.replace(signing, '')}`;

/**
 * Answers of the past, by who asked what: to be given once more when they are old. Bounded in bytes; what was asked
 * longest ago is forgotten first. DEC-KIT-25.
 */
export class StaleAnswers {
  readonly #kept = new Map<string, KeptAnswer[]>();
  #bytes = 0;

  /** Keeps an answer, and tells the newest one that is at least `ms` old; without one the oldest. */
  after(
    request: InterceptedRequest,
    answer: Answer,
    { now, ms }: { readonly now: number; readonly ms: number },
  ): Answer {
    const question = questionOf(request);
    const answers = this.#kept.get(question) ?? [];
    // What is asked again is the last to be forgotten.
    this.#kept.delete(question);
    this.#kept.set(question, answers);
    const last = answers.at(-1)?.answer;
    if (last === undefined || last.text !== answer.text || last.status !== answer.status) {
      const bytes = answer.text.length + question.length + overhead;
      answers.push({ at: now, answer, bytes });
      this.#bytes += bytes;
    }
    while ((answers[1]?.at ?? Number.POSITIVE_INFINITY) <= now - ms) this.#drop(answers);
    const { answer: old } = answers[0] as KeptAnswer;
    this.#forget();
    return old;
  }

  #drop(answers: KeptAnswer[]): void {
    this.#bytes -= answers.shift()?.bytes ?? 0;
  }

  #forget(): void {
    for (const [question, answers] of this.#kept) {
      while (this.#bytes > faultLimits.staleBytes && answers.length > 0) this.#drop(answers);
      if (answers.length > 0) return;
      this.#kept.delete(question);
    }
  }
}
