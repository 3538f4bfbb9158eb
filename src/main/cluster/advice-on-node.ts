/** What to do where a node cannot apply what its cluster has applied. DEC-CLU-28. */
export const adviceOnNode =
  'first give this machine the build of the nodes that go on; if it has that, test its memory, move its data ' +
  'directory away, and start it with an empty one, which the other nodes fill.';
