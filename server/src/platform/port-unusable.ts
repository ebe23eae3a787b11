/** Thrown if the server can't listen on its address. The message is a single line for the operator. */
export class PortUnusable extends Error {}

export interface PortBinding {
  host: string;
  port: number;
  /** The setting that configures the port, e.g. `PORT`. */
  setting: string;
}

const sentences: Readonly<Record<string, (binding: PortBinding) => string>> = {
  EADDRINUSE: ({ port, setting }) =>
    `Port ${port} is already in use. Choose another ${setting}, or stop the program that uses it.`,
  EACCES: ({ port, setting }) => `This account can't use port ${port}. Choose a ${setting} above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine. Choose another HOST.`,
  ENOTFOUND: ({ host }) => `Couldn't resolve ${host}. Choose another HOST.`,
};

/** Returns a `PortUnusable` if the operator can fix the error; otherwise returns the error unchanged. */
export function portProblem(reason: unknown, binding: PortBinding): unknown {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
  const sentence = sentences[code];
  return sentence ? new PortUnusable(sentence(binding), { cause: reason }) : reason;
}
