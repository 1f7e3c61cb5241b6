select g.id::text, g.name, g.status = 'active' as active, g.access = 'public' as "isPublic", g.multiplier_ppm as "multiplierPpm", g.rpm, g.tpm, g.protocols,
       coalesce(array_agg(gm.model_id::text) filter (where gm.model_id is not null), '{}') as "modelIds"
from groups g
left join group_models gm on gm.group_id = g.id
group by g.id
order by g.sort_order, g.name
