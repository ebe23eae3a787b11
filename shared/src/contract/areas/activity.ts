export {
  countActivityDays as countDays,
  countSignInDays,
  exportActivity as export,
  listActivity as list,
  listAppActivity as listForApplication,
  listAppSignIns as listApplicationSignIns,
  listMemberActivity as listForMember,
  listRefusedRedirects,
  listRoleActivity as listForRole,
  listSignIns,
} from '../index.ts';
