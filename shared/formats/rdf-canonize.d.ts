// Ships no types: RDF Dataset Canonicalization (RDFC-1.0) of quads as jsonld makes them.
declare module 'rdf-canonize' {
  export interface Term {
    termType: 'NamedNode' | 'BlankNode' | 'Literal' | 'DefaultGraph'
    value: string
  }
  export interface Quad {
    subject: Term
    predicate: Term
    object: Term & { datatype?: Term; language?: string }
    graph: Term
  }
  export function canonize(
    quads: readonly Quad[],
    options: { algorithm: 'RDFC-1.0'; format: 'application/n-quads' },
  ): Promise<string>
}
