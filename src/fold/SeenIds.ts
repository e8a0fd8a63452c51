/** Ids of inputs seen. */
export type SeenIds = readonly (readonly string[])[]
