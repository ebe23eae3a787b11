/** Thrown if the server can't listen on an address. The message is one line for the operator. */
export class PortUnusable extends Error {}

export interface PortBinding {
  host: string;
  port: number;
  /** Setting of the port, e.g. `PORT`. */
  setting: string;
}

const sentences: Readonly<Record<string, (binding: PortBinding) => string>> = {
  EADDRINUSE: ({ port, setting }) =>
    `Port ${port} is already in use. Choose another ${setting}, or stop what uses this one.`,
  EACCES: ({ port, setting }) => `Port ${port} may not be used by this account. Choose a ${setting} above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `This machine has no address ${host}. Choose another HOST.`,
  ENOTFOUND: ({ host }) => `The address of ${host} is not known. Choose another HOST.`,
};

/** Maps an error to `PortUnusable` if the operator can fix it; otherwise returns it unchanged. */
export function portProblem(reason: unknown, binding: PortBinding): unknown {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
  const sentence = sentences[code];
  return sentence ? new PortUnusable(sentence(binding), { cause: reason }) : reason;
}
