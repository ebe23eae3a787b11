import {
  COMMON_REFUSALS,
  codeOf,
  type EndpointDefinition,
  fieldsWith,
  type ResultName,
  refusalStatusOf,
} from '@orchestrate/shared';
import { Refusal } from '../../refusal.ts';
import type { VersionUse } from '../versions.ts';
import { ContractBroken, requireContract } from './contract-broken.ts';

const nameOf = ({ method, path }: EndpointDefinition): string => `${method} ${path}`;

/**
 * No change goes unrecorded: a call records only what its entry declares.
 * @param mustRecord whether it may not do without, if its entry declares events
 * @throws ContractBroken
 */
export function requireDeclaredEvents(
  entry: EndpointDefinition,
  recorded: readonly string[],
  { mustRecord }: { mustRecord: boolean },
): void {
  const events: readonly string[] = entry.events ?? [];
  const undeclared = recorded.find((action) => !events.includes(action));
  if (undeclared)
    throw new ContractBroken(
      `${nameOf(entry)} recorded ${undeclared}, but declares only: ${events.join(', ') || 'nothing'}.`,
    );
  if (mustRecord && events.length > 0 && recorded.length === 0) {
    throw new ContractBroken(`${nameOf(entry)} must record ${events.join(' or ')}, but recorded nothing.`);
  }
}

/** A handler must not forget the version of what it reads or edits. @throws ContractBroken */
export function requireVersionUsed(entry: EndpointDefinition, use: VersionUse): void {
  const missing = [
    ...(entry.method === 'GET' || use.isRequired() ? [] : ['version.require']),
    ...(use.isAnswered() ? [] : ['version.answer']),
  ];
  if (missing.length === 0) return;
  throw new ContractBroken(`${nameOf(entry)} must call ${missing.join(' and ')}, but did not.`);
}

/** The current state of a thing, as the entry describes it. @throws ContractBroken */
export function declaredState(entry: EndpointDefinition, present: object): object {
  const name = `What ${nameOf(entry)} says of the present state`;
  if (!entry.current) throw new ContractBroken(`${name} is not declared: the entry has no \`current\`.`);
  return requireContract(entry.current, present, name, true);
}

/** A handler's refusal with the entry's HTTP status; outside production the entry must declare it. */
export function declaredRefusal(entry: EndpointDefinition, refusal: Refusal, isProduction: boolean): Error {
  const { result } = refusal;
  const isDeclared = entry.refuses?.includes(result) || COMMON_REFUSALS.includes(result);
  if (!isDeclared && !isProduction) {
    return new ContractBroken(`${nameOf(entry)} refused with ${result}, which it does not declare.`);
  }
  const status = refusalStatusOf(entry, result);
  if (status === undefined || refusal.status !== undefined) return refusal;
  return new Refusal(result, { ...refusal, status, message: refusal.message });
}

/**
 * The fields of a reply as the entry describes them: in production, anything else that a handler returned is dropped.
 * @throws ContractBroken
 */
export function declaredFields(
  entry: EndpointDefinition,
  result: ResultName,
  fields: unknown,
  isProduction: boolean,
): object {
  if (result !== 'SUCCESS' && !entry.news?.includes(result)) {
    throw new ContractBroken(`${nameOf(entry)} answered with ${result}, which it does not declare as news.`);
  }
  return requireContract(fieldsWith(entry, codeOf(result)), fields, `The reply of ${nameOf(entry)}`, isProduction);
}
