import { useState } from 'react';

/**
 * Keeps what a dialog is about until it has faded out.
 * @param asked null while no dialog is wanted; otherwise the same value in every render until another one is wanted
 * @returns `shown` is null only where there is nothing to draw; pass `forget` as the dialog's `onExitComplete`
 */
export function useValueDuringExit<Asked>(asked: Asked | null) {
  const [last, setLast] = useState(asked);
  if (asked !== null && asked !== last) setLast(asked);
  return { shown: asked ?? last, isOpen: asked !== null, forget: () => setLast(null) };
}
