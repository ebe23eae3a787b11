import { paths } from '../paths.ts';

/** The addresses of the lab's sections; apart from `paths`, which everybody loads. */
export const labPaths = {
  outbox: paths.lab,
  requests: `${paths.lab}/requests`,
  worlds: `${paths.lab}/worlds`,
  people: `${paths.lab}/people`,
  journal: `${paths.lab}/journal`,
  faults: `${paths.lab}/faults`,
  tokens: `${paths.lab}/tokens`,
} as const;
