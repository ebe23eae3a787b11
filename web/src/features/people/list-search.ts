/** The search of the list from which a member was opened, kept in the navigation state; '' where there is none. */
export function listSearchOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('listSearch' in state)) return '';
  return typeof state.listSearch === 'string' ? state.listSearch : '';
}
