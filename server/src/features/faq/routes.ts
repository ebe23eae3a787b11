import { faqRepo, organisationRepo } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';
import { treeOf } from './faq-tree.ts';
import * as write from './write-faq.ts';

/** Serves the FAQ, which anyone can read even before signing in, and administrators can edit. */
export function faq(app: FastifyInstance, deps: Deps): void {
  const tree = (orgCode: string) => ({ categories: treeOf(faqRepo.listFaq(deps.db, orgCode)) });

  implement(app, deps, contract.getFaq, ({ caller }) => tree(caller.orgCode));
  implement(app, deps, contract.getPublicFaq, ({ query: { code } }) => {
    if (!organisationRepo.findOrganisation(deps.db, code)) throw new Refusal('ORG_CODE_NOT_FOUND');
    return tree(code);
  });

  implement(app, deps, contract.saveFaqCategory, ({ actor, body, version }) => ({
    categoryId: write.saveCategory(deps, actor, body, version),
  }));
  implement(app, deps, contract.saveFaqSubcategory, ({ actor, body, version }) => ({
    subcategoryId: write.saveSubcategory(deps, actor, body, version),
  }));
  implement(app, deps, contract.saveFaqRecord, ({ actor, body, version }) =>
    write.saveRecord(deps, actor, body, version),
  );

  implement(app, deps, contract.deleteFaqCategory, ({ actor, body }) => {
    write.deleteCategory(deps, actor, body.categoryId);
    return {};
  });
  implement(app, deps, contract.deleteFaqSubcategory, ({ actor, body }) => {
    write.deleteSubcategory(deps, actor, body.subcategoryId);
    return {};
  });
  implement(app, deps, contract.deleteFaqRecord, ({ actor, body }) => {
    write.deleteRecord(deps, actor, body.recordId);
    return {};
  });
}
