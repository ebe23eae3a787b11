import { memberListRepo } from '@orchestrate/db';
import { contract, fullNameOf, type ListedPerson } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { runUnlessReset } from '../../platform/retry-if-reset.ts';
import { requireOrgCode } from '../phones/find-phone.ts';
import type { Policies } from '../phones/policies.ts';
import { recordInLab } from '../record-in-lab.ts';
import { makeSession, storageStateOf } from './make-session.ts';

/** Lets tests create people, and sign people in without a page. */
export function people(app: FastifyInstance, deps: Deps, policies: Policies): void {
  implement(app, deps, contract.readPeople, ({ query: { org, limit, ...wanted } }) => {
    if (org !== undefined) requireOrgCode(deps, org);
    const { people, total } = memberListRepo.listEverybody(deps.db, { orgCode: org, ...wanted }, limit);
    return { people: people.map(listed), total };
  });

  implement(app, deps, contract.makePerson, async ({ body, actor }) => {
    const { makePerson } = await import('./make-person.ts');
    const { primaryEmail, roleCode, accountStatus, suid, orgCode, firstName, lastName, primaryAttr, devices } =
      makePerson(deps, body);
    recordInLab(deps, actor, 'lab.person-made', { orgCode, email: primaryEmail, role: roleCode });
    const person = { suid, orgCode, email: primaryEmail, firstName, lastName, primaryAttr, devices };
    return { ...person, role: roleCode, status: accountStatus };
  });

  implement(app, deps, contract.makeSession, async ({ body: { email, org }, actor }) => {
    const state = await policies.during(() => runUnlessReset(deps, () => makeSession(app, deps, email, org)));
    recordInLab(deps, actor, 'lab.session-made', { email, orgCode: state.orgId });
    return { ...state, storageState: storageStateOf(deps, state) };
  });
}

type Everybody = ReturnType<typeof memberListRepo.listEverybody>['people'];

const listed = ({ member, orgName, roleName, deviceCount }: Everybody[number]): ListedPerson => ({
  suid: member.suid,
  orgCode: member.orgCode,
  orgName,
  fullName: fullNameOf(member),
  email: member.primaryEmail,
  role: member.roleCode,
  roleName,
  status: member.accountStatus,
  deviceCount,
});
