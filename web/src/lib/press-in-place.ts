import type { MouseEvent } from 'react';

/**
 * Props of a button that stands below fields of a form. Pressed, it takes the focus only with the click: the field that
 * had it would else be checked in between, and its error would push the button away from under the pointer.
 */
export const pressInPlace = { onMouseDown: (event: MouseEvent) => event.preventDefault() } as const;
