/** What a problem is, apart from the request at hand. */
export interface ProblemSpec {
  readonly status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 408
    | 409
    | 413
    | 414
    | 415
    | 417
    | 418
    | 422
    | 429
    | 431
    | 500
    | 503
    | 504;
  /** A sentence; the same for every occurrence. */
  readonly title: string;
}
