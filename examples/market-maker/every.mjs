/** Repeats work every `ms`, leaving out turns while it still goes on, and tells what goes wrong. Answers the timer. */
export function every(ms, work) {
  let isBusy = false;
  return setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    await Promise.resolve()
      .then(work)
      .catch((error) => console.error(error.message));
    isBusy = false;
  }, ms);
}
