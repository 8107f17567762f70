import { type SubscriptionHandle, subscriptionHandle } from '../requests/stream-requests.js';
import {
  bytes,
  displayText,
  flag,
  oneOf,
  positiveU64,
  smallInteger,
  text,
} from '../shape/scalar-shapes.js';
import {
  type Bare,
  list,
  nothing,
  optional,
  type RecordShape,
  record,
  type Shape,
  type ShapeDocument,
  type ShapeFault,
  type UnionShape,
  union,
  type Walk,
} from '../shape/shape.js';
import {
  type FrameDiagnostic,
  frameDiagnostics,
  type RequestFailed,
  requestFailed,
} from './dispositions.js';

const SCALARS = [
  'U8',
  'I8',
  'U16',
  'I16',
  'U32',
  'I32',
  'U64',
  'I64',
  'F32',
  'F64',
  'Bool',
  'String',
  'Bytes',
  'Datetime',
] as const;

export type RowScalar = (typeof SCALARS)[number];

/** Type of a field's cells. */
export type RowType =
  | Bare<RowScalar>
  | { readonly t: 'List'; readonly element: RowType }
  | { readonly t: 'FixedList'; readonly element: RowType; readonly length: number };

export interface RowField {
  readonly name: string;
  readonly type: RowType;
  readonly nullable: boolean;
  readonly sensitive: boolean;
}

/** What the rows of a subscription look like. */
export interface RowSchema {
  readonly fields: readonly RowField[];
  /** Present exactly when the relay is branched. */
  readonly branch?: { readonly branch: string; readonly fields: readonly RowField[] };
}

export type SubscribeDisposition =
  | {
      readonly t: 'SubscriptionOpened';
      readonly subscription: SubscriptionHandle;
      readonly domain: string;
      readonly relay: string;
      readonly subscription_type: 'Row';
      readonly schema: RowSchema;
    }
  | RequestFailed;

export interface SubscribeOutcome {
  readonly t: 'SubscribeOutcome';
  readonly disposition: SubscribeDisposition;
  readonly message: string;
  readonly diagnostics: readonly FrameDiagnostic[];
}

export interface UnsubscribeOutcome {
  readonly t: 'UnsubscribeOutcome';
  readonly disposition:
    | { readonly t: 'SubscriptionDeleted'; readonly subscription: SubscriptionHandle }
    | RequestFailed;
  readonly message: string;
  readonly diagnostics: readonly FrameDiagnostic[];
}

/** Rows of one concrete branch, encoded apart from the frame. */
export interface SubscriptionRows {
  readonly t: 'SubscriptionRows';
  readonly subscription: SubscriptionHandle;
  /** One row of the branch's fields; present exactly when the relay is branched. */
  readonly branch_key?: Uint8Array;
  readonly rows: Uint8Array;
  readonly row_count: number;
}

/** Rows that a DROPPING subscription left out before the rows that follow. */
export interface SubscriptionDeliveryLost {
  readonly t: 'SubscriptionDeliveryLost';
  readonly subscription: SubscriptionHandle;
  readonly dropped_rows: bigint;
}

export interface SubscriptionRowsSkipped {
  readonly t: 'SubscriptionRowsSkipped';
  readonly subscription: SubscriptionHandle;
  readonly cause: 'FilterFailed' | 'DomainTimeUnavailable' | 'EncodingFailed';
  readonly skipped_rows: bigint;
  readonly message: string;
}

/** Last frame of its generation. */
export interface SubscriptionEnded {
  readonly t: 'SubscriptionEnded';
  readonly subscription: SubscriptionHandle;
  readonly reason: 'RelayChanged' | 'RelayRemoved';
  readonly message: string;
}

export const SUBSCRIPTION_ROWS_MAX = 256;

const element: Shape<RowType> = {
  document: { reference: 'RowType' },
  read: (value: unknown, walk: Walk): RowType | ShapeFault => rowType.read(value, walk),
};

const scalarVariants = Object.fromEntries(SCALARS.map((scalar) => [scalar, nothing])) as Readonly<
  Record<RowScalar, typeof nothing>
>;

const rowType: UnionShape<RowType> = union<RowType>({
  ...scalarVariants,
  List: record<{ readonly element: RowType }>({ element }),
  FixedList: record<{ readonly element: RowType; readonly length: number }>({
    element,
    length: smallInteger(1),
  }),
});

export const rowTypeDocument: ShapeDocument = rowType.document;

const rowFields: Shape<readonly RowField[]> = list(
  record<RowField>({ name: text(), type: rowType, nullable: flag, sensitive: flag }),
);

const rowSchema: RecordShape<RowSchema> = record<RowSchema>({
  fields: rowFields,
  branch: optional(
    record<{ readonly branch: string; readonly fields: readonly RowField[] }>({
      branch: text(),
      fields: rowFields,
    }),
  ),
});

type Opened = Extract<SubscribeDisposition, { readonly t: 'SubscriptionOpened' }>;

export const subscribeOutcome: RecordShape<Omit<SubscribeOutcome, 't'>> = record<
  Omit<SubscribeOutcome, 't'>
>({
  disposition: union<SubscribeDisposition>({
    SubscriptionOpened: record<Omit<Opened, 't'>>({
      subscription: subscriptionHandle,
      domain: text(),
      relay: text(),
      subscription_type: oneOf(['Row']),
      schema: rowSchema,
    }),
    RequestFailed: requestFailed,
  }),
  message: displayText,
  diagnostics: frameDiagnostics,
});

export const unsubscribeOutcome: RecordShape<Omit<UnsubscribeOutcome, 't'>> = record<
  Omit<UnsubscribeOutcome, 't'>
>({
  disposition: union<UnsubscribeOutcome['disposition']>({
    SubscriptionDeleted: record<{ readonly subscription: SubscriptionHandle }>({
      subscription: subscriptionHandle,
    }),
    RequestFailed: requestFailed,
  }),
  message: displayText,
  diagnostics: frameDiagnostics,
});

export const subscriptionRows: RecordShape<Omit<SubscriptionRows, 't'>> = record<
  Omit<SubscriptionRows, 't'>
>({
  subscription: subscriptionHandle,
  branch_key: optional(bytes()),
  rows: bytes(),
  row_count: smallInteger(1, SUBSCRIPTION_ROWS_MAX),
});

export const subscriptionDeliveryLost: RecordShape<Omit<SubscriptionDeliveryLost, 't'>> = record<
  Omit<SubscriptionDeliveryLost, 't'>
>({ subscription: subscriptionHandle, dropped_rows: positiveU64 });

export const subscriptionRowsSkipped: RecordShape<Omit<SubscriptionRowsSkipped, 't'>> = record<
  Omit<SubscriptionRowsSkipped, 't'>
>({
  subscription: subscriptionHandle,
  cause: oneOf(['FilterFailed', 'DomainTimeUnavailable', 'EncodingFailed']),
  skipped_rows: positiveU64,
  message: displayText,
});

export const subscriptionEnded: RecordShape<Omit<SubscriptionEnded, 't'>> = record<
  Omit<SubscriptionEnded, 't'>
>({
  subscription: subscriptionHandle,
  reason: oneOf(['RelayChanged', 'RelayRemoved']),
  message: displayText,
});
