import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

/** What a handler returned or refused does not match its entry: a defect of ours. */
export class ContractBroken extends Error {}

/**
 * The returned value, as the contract describes it. Fields that the contract lacks are never sent.
 * @param mayLack whether such fields are silently dropped instead of being a defect.
 * @throws ContractBroken
 */
export function requireContract<Schema extends z.ZodType>(
  schema: Schema,
  returned: unknown,
  name: string,
  mayLack = false,
): z.output<Schema> {
  const parsed = schema.safeParse(returned);
  if (!parsed.success) throw new ContractBroken(`${name} is not its contract's: ${parsed.error.message}`);
  if (!mayLack && !isDeepStrictEqual(onTheWire(parsed.data), onTheWire(returned))) {
    throw new ContractBroken(`${name} has fields that its contract lacks.`);
  }
  return parsed.data;
}

const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
