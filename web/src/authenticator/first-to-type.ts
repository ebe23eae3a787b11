/**
 * For the first empty field of a form that was opened to type in: it has the focus, also in a sheet that opens with it.
 */
export const firstToType = { autoFocus: true, 'data-autofocus': '' } as const;
