/**
 * Runs tasks one after the other, in the order in which they came: what reads something, changes it and writes it back
 * does not lose the change of another that does the same. DEC-OPR-13.
 */
export function createTurns(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next.catch(() => {});
    return next;
  };
}
