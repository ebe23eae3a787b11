export {
  deleteFaqCategory as deleteCategory,
  deleteFaqRecord as deleteRecord,
  deleteFaqSubcategory as deleteSubcategory,
  getFaq as get,
  getPublicFaq as getPublic,
  saveFaqCategory as saveCategory,
  saveFaqRecord as saveRecord,
  saveFaqSubcategory as saveSubcategory,
} from '../index.ts';
