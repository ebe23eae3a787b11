import { paths } from '#paths.ts';

/** Paths of the lab's sections, separate from `paths` because every page loads `paths`. */
export const labPaths = {
  outbox: paths.lab,
  requests: `${paths.lab}/requests`,
  journal: `${paths.lab}/journal`,
  people: `${paths.lab}/people`,
  phones: `${paths.lab}/phones`,
  faults: `${paths.lab}/faults`,
  sockets: `${paths.lab}/sockets`,
  deliveries: `${paths.lab}/deliveries`,
  magic: `${paths.lab}/magic`,
  clock: `${paths.lab}/clock`,
  worlds: `${paths.lab}/worlds`,
  spaces: `${paths.lab}/spaces`,
  tokens: `${paths.lab}/tokens`,
  provisioning: `${paths.lab}/provisioning`,
} as const;
