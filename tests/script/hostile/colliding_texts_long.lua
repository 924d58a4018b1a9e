-- expect: run: more than 256 keys that fall in the same place
-- 300 long texts whose hashes agree in their last ten bits under the program's seed, which is no secret.
local policy = { name = "hostile", api = 1 }
local words = [[
addd adss adxb agls ahnv aklv akqx aktx andq apsu aquw arby arzl asdc auel awfk awim axhe aykh azuc bfrf biey
bilz biwl bkpy bmxv bnmm bntx brzh btvp bvsq bvyh bwaj byga byhn cbed ccuz cfki citi ciyi cjkw cjme ckym clvx
cmxx cngs crdd ctem dadz dbmc ddqn deog djrw dkeu dkfg dkte dkvp dleq dmny doxn dtuz dupu dygj dyli eacy eayl
ecdc edki eevz efsy ehbw eijk eirc eksj ekyi enmv epnw eqfn eqhi eqkr eqpk esic etde euea euvg evdi ewys eyli
fafj fbuy fcdh ffgz fgxg fidw fjgz fmoy fnnm fpgm fqxq friz frsu fssc ftnx fugq fvba fwqc fyla gcyk giuz gjyg
gmnl gnft gnzk greq gtgy gtip gzva haji hdho hdsr heaq hhbx hhya hicr hizm hjft hmld hoco hpcj huil husg hznm
iaom ifhj iiyn ijaz ikit ilid iohg isyf itde iuiz iuvk iwrx iycj izbe jbem jcdd jcnb jdlx jehr jggy jhjb jmjy
jmqa jmwt jnfj jnkv jqdg jruy jsof jwvb jxxw jzyd kaej kafc kave kcgl kggx kgqf kgxr khgi kihd kqxq krpp kryy
ksue kwxh kxtx ldcw ldii lehd liwy lkrd lmam lmho lpka lpyw lthk lutb lwzh lydx lzim maja mcsd mffk mhcg mhjo
mmzx mpzi mqxs mrck mros mucz mwuj mxbt mynz myrj mzgt mzth nbeu nbpd ndmx neen nfoa nfph nfyt ngyw nins nixf
njvu nmcc nnma nsee ntgs ntjy ntwh nuly nvac nvms nvto nxbi nzcp obwv ogpy ojfu okss olke oobe oooa oooc ooyt
oqhh orji otsw otzw owdk oxii oxur oypj oytv pbbq pcec pcii pcts peeq pevj peyu pjvg pkva pnlt pode pqnk psdn
ptud qblk qewz qgyy qizs qllc qnuz qvou qwcw qxbn qxbs qyih qzhx reqq rfna rfzt rhpu rhvx riqq rish roiv rokd
rpkk rqbb rqqf rrav rrcq rrgb rshh rxpg savu scjz sego sgxo shhq sibl
]]

function policy:partition()
  local t, sum = {}, 0
  for i = 1, #words, 5 do t["a text that Lua keeps by itself: over 40 " .. words:sub(i, i + 3)] = true end
  for round = 1, 1000000 do
    for i = 1, #words, 5 do sum = sum + (t["a text that Lua keeps by itself: over 40 " .. words:sub(i, i + 3)] and 1 or 0) end
  end
  return 1 + sum
end

return policy
