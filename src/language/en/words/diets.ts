/** Diets that exclude each other, as in the keys of facts: nobody follows two of them. */
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
