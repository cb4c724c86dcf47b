/** Diets that exclude each other, as they stand in a fact's key: who follows one follows none of the others. */
export const EXCLUSIVE_DIETS: ReadonlySet<string> = new Set([
  'vegan',
  'vegetarian',
  'veggie',
  'pescatarian',
  'pescetarian',
  'flexitarian',
  'carnivore',
  'plant_based',
  'fruitarian',
]);
