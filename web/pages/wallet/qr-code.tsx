import { useEffect, useState } from 'preact/hooks';

/** The path of the dark squares of a code. */
async function pathOf(text: string): Promise<{ readonly path: string; readonly size: number }> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { path, size };
}

/** A text for cameras. What makes it is fetched when it is first needed. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [code, setCode] = useState<{ readonly path: string; readonly size: number } | null>(null);
  useEffect(() => {
    let isOver = false;
    setCode(null);
    // Without it there is still the text.
    pathOf(text).then(
      (made) => isOver || setCode(made),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [text]);
  return (
    <svg class="qr-code" viewBox={`0 0 ${code?.size ?? 1} ${code?.size ?? 1}`} role="img" aria-label={label}>
      <path d={code?.path ?? ''} shape-rendering="crispEdges" />
    </svg>
  );
}
