import { usedWrongly } from '#operator-commands/exit-codes.ts';
import { agrees, type Terminal } from '#operator-commands/terminal.ts';
import { type AllAnswers, type Answers, type Asked, questionNames, questions } from '#main/setup/setup-questions.ts';

/** How questions are answered without asking. */
export interface Given {
  /** By the name of the question. */
  readonly flags: Answers;
  /** Whether what no flag answers is as usual. */
  readonly takesUsual: boolean;
}

/** How often a wrong answer may be typed again. */
const attempts = 5;

/**
 * An answer to every question: that of its flag, else the usual one or what is typed.
 * @throws CommandFailed that names the flag of an answer that cannot be used, or of one that is missing.
 */
export async function answerAll({ flags, takesUsual }: Given, terminal: Terminal): Promise<AllAnswers> {
  const alone = await answerAlone({ flags, takesUsual }, terminal);
  let answers: Answers = { alone };
  for (const name of questionNames) {
    const { flag, usual, fault } = questions[name];
    const given = flags[name];
    const known = given ?? (takesUsual ? usual(answers) : null);
    if (known === null && (takesUsual || terminal.ask === null)) throw unanswered(flag, takesUsual);
    const wrong = known === null ? null : fault(known, answers);
    if (wrong !== null) throw usedWrongly(`--${flag} ${wrong}`);
    answers = { ...answers, [name]: known ?? (await askUntilRight(name, answers, terminal)) };
  }
  return answers as AllAnswers;
}

/** Alone is who says so; who is not asked is not. */
async function answerAlone({ flags, takesUsual }: Given, terminal: Terminal): Promise<string> {
  if (flags.alone !== undefined || takesUsual) return flags.alone ?? 'no';
  if (terminal.ask === null) throw usedWrongly(nobodyToAsk);
  // Two names say that there are two persons.
  if (flags.persons !== undefined) return 'no';
  return agrees(await terminal.ask('Does one person run the exchange alone? [y/N] ')) ? 'yes' : 'no';
}

const nobodyToAsk = 'nobody can be asked here: answer by flags, and add --yes to take the usual for the rest';
const unanswered = (flag: string, takesUsual: boolean) =>
  usedWrongly(takesUsual ? `--${flag} must be given: there is nothing usual` : nobodyToAsk);

async function askUntilRight(name: Asked, answers: Answers, terminal: Terminal): Promise<string> {
  const { flag, about, usual, fault } = questions[name];
  const byDefault = usual(answers);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const typed = (await terminal.ask!(`${about}${byDefault === null ? '' : ` [${byDefault}]`}: `)).trim();
    const answer = typed === '' ? (byDefault ?? '') : typed;
    const wrong = fault(answer, answers);
    if (wrong === null) return answer;
    terminal.tell(`It ${wrong}.\n`);
  }
  throw usedWrongly(`--${flag}: no usable answer`);
}
