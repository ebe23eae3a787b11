import type { MouseEvent } from 'react';

/**
 * Props of a button below form fields. It takes the focus only with the click: otherwise pressing it would validate the
 * field that had the focus, and the field's error would push the button away from under the pointer.
 */
export const keepFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() } as const;
