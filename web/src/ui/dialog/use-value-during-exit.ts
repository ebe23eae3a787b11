import { useState } from 'react';

/**
 * Keeps a dialog's value until its exit animation has ended.
 * @param value null while the dialog is closed; otherwise must be referentially stable between renders
 * @returns `shown` is null if there is nothing to render; pass `forget` as the dialog's `onExitComplete`
 */
export function useValueDuringExit<Value>(value: Value | null) {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return { shown: value ?? last, isOpen: value !== null, forget: () => setLast(null) };
}
