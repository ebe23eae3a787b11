import type { MouseEvent } from 'react';

/**
 * Props that keep a button below form fields from taking focus on mousedown. Otherwise pressing it would validate the
 * focused field, and the field's error would move the button away from the pointer.
 */
export const keepFieldFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() } as const;
