import { useState, useSyncExternalStore } from 'react';

let isPressed = false;
const listeners = new Set<() => void>();

function press(next: boolean): void {
  if (isPressed === next) return;
  isPressed = next;
  for (const listener of listeners) listener();
}

// The click event follows directly after the release, so the press must end after the click and before anything
// moves.
const down = () => press(true);
const up = () => setTimeout(click);
const click = () => press(false);

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('pointerdown', down, true);
    window.addEventListener('pointerup', up, true);
    window.addEventListener('pointercancel', up, true);
    window.addEventListener('click', click, true);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('pointerdown', down, true);
    window.removeEventListener('pointerup', up, true);
    window.removeEventListener('pointercancel', up, true);
    window.removeEventListener('click', click, true);
    isPressed = false;
  };
}

/**
 * Returns the value, unchanged while a mouse button or finger is pressed. Otherwise, an error that appears when a
 * field loses focus could move the button being pressed, which would then miss the click.
 */
export function useDeferredWhilePressed<Value>(value: Value): Value {
  const isMoving = useSyncExternalStore(subscribe, () => isPressed);
  const [still, setStill] = useState(value);
  if (!isMoving && still !== value) setStill(value);
  return isMoving ? still : value;
}

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
