import { paths } from '#paths.ts';

/** The addresses of the lab's sections; apart from `paths`, which everybody loads. */
export const labPaths = {
  outbox: paths.lab,
  requests: `${paths.lab}/requests`,
  journal: `${paths.lab}/journal`,
  people: `${paths.lab}/people`,
  phones: `${paths.lab}/phones`,
  faults: `${paths.lab}/faults`,
  sockets: `${paths.lab}/sockets`,
  magic: `${paths.lab}/magic`,
  clock: `${paths.lab}/clock`,
  worlds: `${paths.lab}/worlds`,
  spaces: `${paths.lab}/spaces`,
  tokens: `${paths.lab}/tokens`,
  provisioning: `${paths.lab}/provisioning`,
} as const;
