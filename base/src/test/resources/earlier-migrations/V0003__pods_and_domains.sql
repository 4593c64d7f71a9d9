create table pod (pod_id uuid primary key);
