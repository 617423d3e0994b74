// The messages of proto/berth.proto that the pages read. Numbers of 64 bits come as strings; what
// is nothing may be left out.

export type Role = "none" | "read" | "allocate" | "operate";

export interface CallerReply {
  name: string;
  role: Role;
}

export interface HealthReply {
  version: string;
  revision: string;
  store: string;
}

export interface FleetRack {
  datacenter: string;
  cluster: string;
  row: string;
  rack: string;
  machines: number;
}

export interface FleetNews {
  revision: string;
  racks: FleetRack[];
  names: string[];
  machines: number[];
  health: string;
  columns: { resource: string; allocated: string; used: string }[];
  violation: string;
}

export interface Resources {
  cpu_milli: string;
  memory_bytes: string;
  disk_bytes: string;
  network_mbit: string;
  gpu_milli: string;
}

export type Health = "READY" | "DRAINING" | "DOWN" | "UPDATING";
export const HEALTHS: readonly Health[] = ["READY", "DRAINING", "DOWN", "UPDATING"];

export interface Machine {
  name: string;
  datacenter: string;
  cluster: string;
  row: string;
  rack: string;
  update_domain: string;
  sku: string;
  capacity: Resources;
  labels: Record<string, string>;
  health: Health;
}

export interface MachineState {
  machine: Machine;
  allocated: Resources;
  free: Resources;
  instances: number;
  revision: string;
}

export interface Instance {
  id: string;
  type: string;
  role: string;
  machine: string;
  limit: Resources;
  phase: string;
  created_ms: string;
  since_ms: string;
  preemptions: number;
  failures: number;
  out_of_memory: number;
}

export interface Service {
  name: string;
  tenant: string;
  class: string;
  groups: { type: string; role: string; count: number }[];
}

export interface ServiceSummary {
  service: Service;
  placed: number;
  pending: number;
  held_back: string;
}

export interface Funnel {
  type: string;
  role: string;
  instances: number;
  clusters: number;
  machines: number;
  steps: { rule: string; validator: boolean; left: number }[];
}

export interface Decision {
  id: string;
  kind: string;
  subject: string;
  at_ms: string;
  seen: string;
  conflicts: number;
  placed: { instance: number; machine: string }[];
  evicted: string[];
  funnels: Funnel[];
  refusal?: {
    rule: string;
    because: string;
    cure: string;
    advice: string;
    nearest: { machine: string; rule: string; lacks: string }[];
  };
  accepted: boolean;
  arm: string;
  reason: string;
  room_for: string;
  yielded: { instance: string; to: string; spare_ms: string; left_ms: string }[];
  why: string;
}

export interface ExplainedDecision {
  decision: Decision;
  summary: string;
  explanation: string;
}

export interface Outcome {
  accepted: boolean;
  duplicate: boolean;
  revision: string;
  decision: Decision;
}

export interface RecordUpdate {
  key: string;
  removed: boolean;
  service?: Service;
  instance?: Instance;
  machine?: Machine;
  decision?: Decision;
  policy?: { text: string };
}

export interface Commit {
  revision: string;
  at_ms: string;
  updates: RecordUpdate[];
  compacted: string;
}

export interface WhyNotReply {
  valid: boolean;
  among_best: boolean;
  reasons: string[];
  explanation: string;
}

export interface Arm {
  name: string;
  percent: number;
  services: string;
  placed: string;
  pending: string;
  accepted: string;
  refused: string;
  commits: string;
  conflicts: string;
  hits: string;
  misses: string;
  machines_judged: string;
}

export interface ClassLevel {
  class: string;
  target: number;
  instances: string;
  fulfilled: string;
  at_risk: string;
  violated: string;
  pending: string;
  preemptions: string;
  next_violation_ms: string;
  penalty_cpu_hours: number;
}

export interface PendingInstance {
  id: string;
  class: string;
  since_ms: string;
  waited_ms: string;
  availability: number;
  target: number;
  standing: "FULFILLED" | "AT_RISK" | "VIOLATED";
  leeway_ms: string;
  preemptions: number;
}

export interface ServiceLevelNews {
  levels: { classes: ClassLevel[] };
  pending: PendingInstance[];
  pending_in_all: string;
}

export interface Recommendation {
  service: string;
  type: string;
  resource: "cpu" | "memory";
  now: string;
  target: string;
  lower: string;
  upper: string;
  mode: string;
  recommender: string;
  why: string;
  others: { recommender: string; target: string }[];
  held_back: string;
  out_of_memory: string;
  arm: string;
  used: string;
  kills: { at_ms: string; limit: string; count: number }[];
}

export interface SampleWindow {
  begin_ms: string;
  count: string;
  mean: number;
  min: number;
  max: number;
}

export interface SeriesForecast {
  method: string;
  fitted: string;
  reason: string;
  history: number;
  backtest?: { points: number; interval_score: number; coverage: number; mase?: number };
  notes: string[];
  level_percent: number;
  points: { at_ms: string; mean: number; lower: number; upper: number }[];
}

export interface InstanceType {
  name: string;
  size: Resources;
}

export interface ScalingPlan {
  application: string;
  mode: string;
  services: string[];
  made_ms: string;
  states?: { at_ms: string; instances: number[]; low?: number[]; high?: number[]; why: string }[];
  notes?: string[];
  trouble: string;
}

export interface NamedPolicy {
  name: string;
  text: string;
}

export interface WhatIfPolicyReply {
  paragraphs: string[];
  report: string;
}
