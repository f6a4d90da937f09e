/** Describes what a request changes, for the decision whether it needs an approval and for the people who decide. */
export interface Measure {
  /** The number of objects that the request changes. */
  objects: number
  /** The description for people, without secrets and personal data. */
  details: Record<string, unknown>
  /** Replaces the body that is executed. Without it, the body of the request is. */
  body?: unknown
  /** Returns the members of the answer beside the approval, so that the answer has those of a success. `id` is the id of the approval. */
  answer?: (id: string) => object
}
